"""The words that every explorer says."""

from attention_core.drawing.numbers import REASONS
from attention_core.language import Words, language

ERROR = Words("These settings do not work: {error}", "这组设置算不出来：{error}")
RUN_ME = Words(
    "Run this cell to move the controls. {sentence}", "运行这个单元格就能操作控件。{sentence}"
)
_WORDS = {
    "reads": Words("{reader} → {source}, most in", "{reader} → {source}，最多的头"),
    "sum": Words("sum", "总和"),
    "asleep": Words(
        "Python has not replied. If the kernel was stopped or restarted, run this cell again.",
        "Python 还没有回应。如果内核停止或重启过，请重新运行这个单元格。",
    ),
    "task": Words("Try", "试一试"),
    "taskOf": Words("task {n}", "任务 {n}"),
    "done": Words("done", "完成"),
    "next": Words("Next", "下一个"),
    "show": Words("Show", "看答案"),
    "undo": Words("Undo", "撤销"),
    "redo": Words("Redo", "重做"),
    "play": Words("Play", "播放"),
    "pause": Words("Pause", "暂停"),
    "again": Words("Start again", "重新开始"),
    "againAbout": Words(
        "All numbers and controls as at the start, all tasks open again",
        "所有数值和控件恢复初始状态，所有任务重新开始",
    ),
    "compare": Words("Compare with the start", "与初始值比较"),
    "reader": Words("reader", "查询"),
    "source": Words("source", "键"),
    "quiet": Words(
        "Nothing has changed yet. Edit an underlined number or move a control.",
        "还没有改动。改一个带下划线的数，或者动一动控件。",
    ),
    "quietMask": Words(
        "Nothing has changed yet. Edit an underlined number, click a cell of M, or move a control.",
        "还没有改动。改一个带下划线的数，点 M 的格子，或者动一动控件。",
    ),
    "quietPlain": Words("Nothing has changed yet. Move a control.", "还没有改动。动一动控件。"),
    "changed1": Words("1 number changed: ", "1 个数变了："),
    "changedN": Words("{n} numbers changed: ", "{n} 个数变了："),
    "changed0": Words("No other number changed.", "其他数都没有变。"),
    "differs0": Words("Nothing differs from the start.", "和初始值完全相同。"),
    "differs1": Words("1 number differs from the start: ", "和初始值相比，1 个数不同："),
    "differsN": Words("{n} numbers differ from the start: ", "和初始值相比，{n} 个数不同："),
    "row": Words("row {i} of ", "第 {i} 行："),
    "column": Words("column {i} of ", "第 {i} 列："),
    "some": Words("{n} in ", "{n} 个："),
    "renewed": Words("other rows and columns: ", "行和列都换了："),
    "same": Words("unchanged: ", "没有变："),
    "comma": Words(", ", "、"),
    "semicolon": Words("; ", "；"),
    "stop": Words(".", "。"),
    "hidden": Words("hidden by the mask", "被掩码屏蔽"),
    "open": Words("visible", "可见"),
    "unknown": Words("unknown", "未知"),
    "was": Words("was {old}", "原来是 {old}"),
    "editable": Words("can be edited", "可以改"),
    "computed": Words(
        "This number is computed. Edit an underlined one instead.",
        "这个数是算出来的。请改带下划线的数。",
    ),
    "block": Words("The clipboard holds no block of numbers.", "剪贴板里没有由数组成的表格。"),
    "keeps": Words("The cell keeps {old}; Esc restores it.", "格子里仍是 {old}；按 Esc 恢复。"),
    "absent": Words("no {tokens} here", "这里没有{tokens}"),
    "value": Words("value", "数值"),
    "weight": Words("weight", "权重"),
    "edit": Words("can be edited", "可以改"),
    "old": Words("old value", "旧值"),
    "from": Words("comes from", "来自"),
    "to": Words("changes with it", "随之改变"),
    "nothing": Words("Nothing changes", "什么都不变"),
    "guessedNothing": Words(
        "You expected no change, and nothing changed.", "你猜什么都不变，确实什么都没有变。"
    ),
    "guessed": Words(
        "You marked {marked}: {hit} of the {moved} that changed, {wrong} that did not.",
        "你标记了 {marked} 个：变化的 {moved} 个里标对了 {hit} 个，另有 {wrong} 个没有变。",
    ),
    "rowGuessed": Words(
        "Largest difference from your guess: {gap}.", "和你的猜测相比，最大相差 {gap}。"
    ),
    "changes": Words("Changes", "改动"),
    "arithmetic": Words("Arithmetic of the selected cell", "所选格子的算式"),
    "legend": Words("Legend", "图例"),
    "controls": Words("Controls", "控件"),
    **{f"reason_{name}": words for name, words in REASONS.items()},
}


def vocabulary():
    """Return the words in the language in use, with their {places} still open."""
    return {name: getattr(words, language()) for name, words in _WORDS.items()}
