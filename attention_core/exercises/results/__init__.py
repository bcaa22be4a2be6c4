"""What a learner has answered: remembered, kept in the learner's folder, and shown."""
