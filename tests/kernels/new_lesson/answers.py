"""Answers to the exercises of lesson NN that are wrong, and that are right in another way."""

WRONG = {
    "NAME_task": {
        "second column": lambda weights: weights[:, 1],
        "as a matrix": lambda weights: weights[:, :1],
        "largest of each row": lambda weights: weights.max(axis=1),
        "mean of each row": lambda weights: weights.mean(axis=1),
        "all": lambda weights: weights,
    }
}
RIGHT = {
    "NAME_task": {
        "as a list": lambda weights: [row[0] for row in weights],
        "transposed": lambda weights: weights.mT[0],
        "take": lambda weights: weights.take(0, axis=1),
    }
}
