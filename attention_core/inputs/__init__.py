"""Read what the caller hands over, or refuse it in one clear sentence."""
