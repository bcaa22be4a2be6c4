"""What the explorer of lesson 15 says, in both languages."""

from attention_core.language import Words

TEXT, OTHER = Words("your text", "你的句子"), Words("compare with", "和它比较")
HEADS = Words("12 layers × 12 heads", "12 层 × 12 个头")
PAIR = Words("$q$ and $k$ of this pair, and their product", "这一对的 $q$ 和 $k$，以及它们的乘积")
WEIGHT, CARRIED = Words("weight $α$", "权重 $α$"), Words("share of $α‖v‖$", "$α‖v‖$ 的份额")
SECOND = Words("the second text", "第二个句子")
DIFFERENCE = Words("second − first", "第二个 − 第一个")
SHARED = Words(
    "{shared} of the {all} tokens of your text stand in the second one, too: choose one in either, "
    "and it is marked in both.",
    "你的句子有 {all} 个词元，其中 {shared} 个第二个句子里也有：在任何一边选中，两边都会标出。",
)
MARKS_ONLY = Words(
    "The two texts share no word, only start and end.", "两个句子没有相同的词元，只有首尾符号相同。"
)
SPAN = Words(
    "The colours of the difference reach at least to ±{span}: a small change stays pale.",
    "差的颜色至少覆盖 ±{span}：变化小，颜色就淡。",
)
ABOUT = {
    "A": Words("the weights of the chosen head.", "所选的头的权重。"),
    "B": Words("the same head on the second text.", "同一个头，读第二个句子。"),
    "D": Words("what changed between the tokens that both texts share.",
               "两个句子共有的词元之间，权重变了多少。"),
}  # fmt: skip
CELL = {
    "A": Words("{row} takes {=} of its reading from {col}.", "{row} 有 {=} 的份额读自 {col}。"),
    "D": Words("From {row} to {col}: {=} more or less than before.",
               "从 {row} 到 {col}：和第一个句子相差 {=}。"),
}  # fmt: skip
RELIABLE = Words(
    "Over twenty sentences, mean weight (how often the largest): {parts}",
    "二十个句子上的平均权重（有多少次最大）：{parts}",
)
RELATION = {
    "pron": Words("pronoun → its noun", "代词 → 它指的名词"),
    "adj": Words("adjective → its noun", "形容词 → 它说的名词"),
}
LANGUAGE = {"en": Words("English", "英文"), "zh": Words("Chinese", "中文")}
UNKNOWN = Words("The model does not know {signs}.", "模型不认识 {signs}。")
REFUSED = {
    "empty": Words("the text is empty; type at least one word", "句子是空的，请至少输入一个词"),
    "long": Words("the text is too long; this wall shows at most {most} tokens",
                  "句子太长了，这面墙最多显示 {most} 个词元"),
    "unknown": Words("the model knows none of these signs; type English or Chinese",
                     "模型不认识这些符号，请输入英文或中文"),
}  # fmt: skip
SENTENCE = Words("{head} on “{text}”: {label}. {lines}.", "{head} 读“{text}”：{label}。{lines}。")
MISSIONS = (
    Words("Find a head in which every word reads the next one.",
          "找一个头，每个词都读后一个词元。"),
    Words("Type a Chinese sentence with 它 and choose L8H8. Which noun does 它 read?",
          "输入一个带“它”的中文句子，选 L8H8。“它”读的是哪个名词？"),
    Words("Find a head that gives a token most of a row and takes almost nothing from it ($α‖v‖$).",
          "找一个头：一行的大部分权重给了某个词元，却几乎没从它取到内容（看 $α‖v‖$）。"),
)  # fmt: skip
