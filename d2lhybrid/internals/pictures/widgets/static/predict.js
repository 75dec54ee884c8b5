// A question with its choices; once one is taken, the answer and the sentence that explains it.
export default {
  render({ model, el }) {
    const { question: q, open, printed, words } = model.get("data");
    const root = frame(el, words["A question"]);
    root.classList.add("pr");
    const choices = q.options.map((text, i) => html("button", { onclick: () => take(i) }, text));
    const skip = html("button", { class: "pr-skip", onclick: () => take(-1) }, q.words["show me"]);
    // The answer has its room from the beginning, so that nothing moves when it comes.
    const verdict = html("b"), sides = html("p", { "aria-live": "polite" }, verdict, " ", html("span", { class: "pr-late" }, marked(q.why)));
    const result = html("div", { class: "pr-result pr-late" }, sides, printed ? html("pre", { "aria-label": words.printed }, printed.trimEnd()) : null);
    const take = (i) => {
      choices.forEach((button, k) => { button.ariaPressed = String(k === i); button.classList.toggle("pr-right", k === q.answer); });
      verdict.textContent = i < 0 ? verdictOf(q.words, q.options, q.answer, q.answer).slice(2) : verdictOf(q.words, q.options, i, q.answer);
      for (const late of root.querySelectorAll(".pr-late")) late.classList.remove("pr-late");
      skip.disabled = true;
    };
    root.append(html("p", { class: "pr-ask" }, html("b", {}, marked(q.text))), html("div", { class: "d2l-row" }, choices, skip), result);
    if (open) take(-1);
  },
};
