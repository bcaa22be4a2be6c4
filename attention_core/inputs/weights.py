"""What rows of attention weights must be, where they are measured."""

from attention_core.inputs.arrays import as_floats, refuse_entry


def read_weights(where, weights):
    """Weights of softmax as floats: at least one in each row, each from 0 to 1."""
    (weights,), _ = as_floats(where, weights=weights)
    if weights.ndim == 0 or weights.shape[-1] == 0:
        raise ValueError(f"{where}: weights is {weights.shape}; each row needs at least one weight")
    fits = (weights >= 0) & (weights <= 1.001)  # NaN fits neither; float16 rounds above 1
    if not fits.all():
        refuse_entry(where, "weights", weights, ~fits, "a weight must lie between 0 and 1")
    return weights
