"""What the course claims, lesson by lesson; test_claims.py asks each lesson to show all of it."""

LESSONS = {
    "00_overview": {
        "C0.1": "Attention routes information: same scores and other values give other outputs.",
        "C0.2": "One formula, softmax(Q K^T / sqrt(d_k) + M) V; the mask M is optional.",
        "C0.3": "Q and K say where from and how much, V what is taken; the output is new.",
    },
    "01_project": {
        "C1.1": "Q, K, V are products of the same X with three matrices.",
        "C1.2": "The matrices fix the sizes d_k and d_v, which may differ.",
        "C1.3": "Usually d_k = d_v = d_head.",
    },
    "02_parameters": {
        "C2.1": "The W are learned and kept; Q, K, V are made anew in each forward pass.",
        "C2.2": "All tokens of a head share the same W.",
        "C2.3": "Different x give different q, k, v; equal x give equal ones.",
        "C2.4": "The next layer makes new Q, K, V with its own W and updates nothing.",
    },
    "03_roles": {
        "C3.1": "q.k is the matching score; softmax over j makes the weights.",
        "C3.2": "The output is the weighted sum of values: Q, K route, V is routed.",
        "C3.3": "K and V are separate, since finding and handing over need different features.",
    },
    "04_scores": {
        "C4.1": "The feature side is summed away: the scores are token by token.",
        "C4.2": "Entry (i, j) is q_i.k_j: rows read, columns are read.",
        "C4.3": "Before softmax a score, after it a weight.",
    },
    "05_dot_product": {
        "C5.1": "A dot product turns two vectors into one number.",
        "C5.2": "What matches is learned, and need not be similar or symmetric.",
    },
    "06_scaling": {
        "C6.1": "Scaling sets the size of the logits; it normalises nothing.",
        "C6.2": "The variance of q.k is about d_k, and about 1 after dividing by the root.",
        "C6.3": "softmax([1, 2]) is about [0.27, 0.73]; softmax([10, 20]) about [0, 1].",
        "C6.4": "Large logits saturate the softmax, and most queries then get hardly any gradient.",
        "C6.5": "The independence behind it explains the design; trained heads need not follow it.",
    },
    "07_softmax": {
        "C7.1": "softmax works along the row of each query.",
        "C7.2": "Weights are not negative and a row sums to one.",
        "C7.3": "[0.2, 0.3, 0.5] mixes three values in these shares.",
    },
    "08_causal_mask": {
        "C8.1": "Token i may read tokens 1 to i: M holds 0 and minus infinity.",
        "C8.2": "A masked position weighs exactly 0 and the rest still sums to one.",
        "C8.3": "The mask says what is allowed, not what is related.",
        "C8.4": "Without the mask, training reads the future that generation does not have.",
    },
    "09_by_hand": {
        "C9.1": "Five steps, each matrix by hand.",
        "C9.2": "Rounding the weights first gives 1.75, rounding last 1.76.",
        "C9.3": "O is a new representation, not an updated V.",
    },
    "10_self_and_cross": {
        "C10.1": "Self-attention takes Q, K, V from one sequence.",
        "C10.2": "Cross-attention takes Q from one and K, V from another: weights (n_q, n_k).",
    },
    "11_heads": {
        "C11.1": "Each head has projections, scores, weights and mixtures of its own.",
        "C11.2": "Several heads are not one attention repeated and averaged.",
        "C11.3": "Heads route in parallel in different learned subspaces.",
        "C11.4": "Nobody assigns a head its job: the seed decides.",
    },
    "12_head_shapes": {
        "C12.1": "100 tokens of 512 in 8 heads: (100, 64), (100, 100), (100, 64), (100, 512).",
        "C12.2": "The joined heads go through W_O.",
        "C12.3": "One large projection and a reshape give the same numbers as a loop over heads.",
    },
    "13_misconceptions": {
        "C13.1": "W and Q, K, V are not the same kind of thing.",
        "C13.2": "Q K^T is token by token, not token by feature.",
        "C13.3": "K is not what is returned.",
        "C13.4": "The output does not update V.",
        "C13.5": "Several heads do not repeat one attention.",
    },
    "14_closing": {
        "C14.1": "Q, K decide where and how much is read, V what; O is what the token becomes.",
    },
    "15_trained": {
        "C15.1": "In trained heads the scores spread more than independence predicts.",
        "C15.2": "Heads differ: previous token, next token, first token, broad, induction.",
        "C15.3": "A head looks from 'it' at the noun in question, in English and in Chinese.",
        "C15.4": "A causal decoder's earlier rows do not move when a later word is changed; "
        "an encoder's do.",
        "C15.5": "Cross-attention follows the speech from left to right.",
        "C15.6": "Weights are not explanations: the largest weight need not follow the meaning.",
    },
    "16_gradients": {
        "C16.1": "The gradient of V is mixed by the transposed weights.",
        "C16.2": "Q and K get theirs through the Jacobian of softmax.",
        "C16.3": "A masked position gets and gives no gradient.",
        "C16.4": "The scale appears in the gradient; a saturated row passes hardly any.",
        "C16.5": "Finite differences agree, with the best step neither large nor tiny.",
    },
    "17_long": {
        "C17.1": "Time and memory of the plain form grow with n squared.",
        "C17.2": "Softmax can be computed in pieces with a running maximum and sum.",
        "C17.3": "The blockwise form gives the same output in O(n) memory.",
        "C17.4": "Generation with cached keys and values needs the bottom-right causal mask.",
    },
}
