// SPDX-License-Identifier: GPL-3.0-or-later
// The page's own texts; the texts of the engine come from the engine in the right language.

/** @type {Record<string, string>} */
const japanese = {
    "A GPU server on the screen before it is bought: heat, power, noise, cost.": "買う前に画面で確かめる GPU サーバー：熱、電力、騒音、費用。",
    Undo: "元に戻す", Redo: "やり直す", Open: "開く", Save: "保存", "Copy link": "リンクをコピー", Copied: "コピーしました", Language: "言語",
    "How many cards?": "カードは何枚？", "Which card?": "どのカード？", "Which job or model?": "どの仕事、どのモデル？", "Where does it stand?": "どこに置く？",
    "Make this rig": "このマシンを作る", "Starting the engine": "エンジンを起動しています", "The machine": "マシン", Turn: "調整", Ask: "質問",
    Progress: "進み具合", Cancel: "中止", Answer: "答え", "Your own machine": "自分のマシン", Calibration: "較正",
    "Drop your nvidia-smi log here, or a rig.xml. Nothing leaves this computer.": "nvidia-smi のログか rig.xml をここに置いてください。データはこのコンピューターから出ません。",
    "The same in a terminal": "ターミナルで同じことをする",
    "Power limit, all cards": "電力制限（全カード）", "Room": "室温", "Time with work": "仕事のある時間", "Electricity price": "電気料金", "Case fans": "ケースファン",
    Parts: "部品", Chassis: "シャーシ", PSU: "電源", CPU: "CPU", Fans: "ファン", Card: "カード", Slot: "スロット", "Limit, W": "電力制限 W", Remove: "外す", "Add a card": "カードを追加", "Add a PSU": "電源を追加",
    "No place is free for another card.": "カードを追加できる場所がありません。",
    "Power limit: work and cost": "電力制限：仕事量と費用", "Free slots between cards": "カードの間の空きスロット", "Bronze to Titanium": "Bronze から Titanium まで", "What if it is 35 °C?": "35 °C になったら？", "Run a week": "1 週間を計算する",
    Case: "条件", Throughput: "処理能力", "Hottest GPU": "最高 GPU 温度", "At the wall": "コンセント電力", Noise: "騒音", "A year": "年間費用", Use: "使う", "as it is": "今のまま",
    "does not work": "成り立ちません", "No change of this kind fits here.": "この変更はここではできません。", "free slots: ": "空きスロット：", "Cancelled.": "中止しました。", "Find better limits": "より良い電力制限を探す", "as good:": "同程度：", "No limits are better than those of the rig, as far as the uncertainty tells. The best of the others:": "不確かさの範囲では、今の電力制限より良いものはありません。ほかの中で最良：", "No limits keep all of this:": "次のすべてを守る制限はありません：",
    "No limits were found with which nothing is overloaded. The best of those with which nothing would trip:": "何も過負荷にならない制限は見つかりませんでした。遮断が起きない中での最善：",
    "No limits were found with which nothing would trip or shut down from heat. The best of the others:": "遮断も熱による停止も起きない制限は見つかりませんでした。それ以外での最善：",
    "About the rig before your change.": "変更前のマシンについての答えです。", part: "部品", count: "個数",
    before: "前の値", "The last rig that works is shown.": "表示しているのは、最後に成り立ったマシンです。", "Use the calibrated rig": "較正した rig を使う", Fitting: "当てはめています", training: "学習", "decoding, one stream": "推論（1 ストリーム）", "prompts (prefill)": "プロンプト処理", "burn-in test": "負荷テスト", "independent work": "独立した仕事",
    "United States": "アメリカ", Japan: "日本", Germany: "ドイツ", France: "フランス", Italy: "イタリア", Denmark: "デンマーク", "United Kingdom": "イギリス", elsewhere: "その他",
    Outdoors: "外気温", Cooling: "冷却", "Cooling of": "冷却の対象", for: "対象", "all cards": "全カード", Cooler: "クーラー", "the card's own": "カードに付属のもの", Follows: "追従する温度", follows: "追従",
    "fixed speed": "固定回転数", "hottest GPU": "最も熱い GPU", "air that enters": "吸気", coolant: "冷却液", "Fan curve": "ファンカーブ", Point: "点", "Add a point": "点を追加", "Remove point": "点を削除", Reset: "元の曲線に戻す",
    front: "前面", rear: "背面", top: "上面", bottom: "底面", side: "側面", wall: "ファンの壁", slot: "スロット", "There is no free place further on.": "この先に空いている場所はありません。",
    "rig.xml is the file that Save gives": "rig.xml は「保存」で得られるファイルです",
    "Jobs": "仕事", "Language models": "言語モデル",
    "The browser lacks what the page needs (DecompressionStream, WebAssembly).": "このブラウザーには必要な機能（DecompressionStream、WebAssembly）がありません。",
};

/** 0: English, 1: Japanese, the numbers that the engine uses. */
export const language = { now: navigator.language.startsWith("ja") ? 1 : 0 };

/** @param {string} english */
export const t = (english) => (language.now ? japanese[english] ?? english : english);

export function tellPage() {
    document.documentElement.lang = language.now ? "ja" : "en";
    for (const e of document.querySelectorAll("[data-t]")) if (e.id !== "sentence" || !e.classList.contains("told")) e.textContent = t(/** @type {HTMLElement} */ (e).dataset.t ?? "");
    for (const e of document.querySelectorAll("[data-label]")) e.setAttribute("aria-label", t(/** @type {HTMLElement} */ (e).dataset.label ?? ""));
}
