/** One question, waiting for its answer. */
export interface Asked<Question, Answer> {
  readonly question: Question
  answer(answer: Answer): void
}

export interface LaneNeeds<Question, Answer> {
  /**
   * Answers all questions that have gathered since the last call. Rejects when there is no answer
   * to be had.
   */
  ask(questions: readonly Question[]): Promise<readonly Answer[]>
  /** The answer to a question that could not be answered in time. */
  give(question: Question): Answer
  /** How long in ms one call may take; past it, everybody gets the answer of `give`. */
  budgetMs(questions: readonly Question[]): number
  /**
   * Where calls are frequent, past some hundred a second: how many ms lie between the beginning of
   * one call and of the next, so that more questions share the cost of a call. Absent: none.
   */
  readonly gatherMs?: number
}

/**
 * How many calls go out at once without being held back for others; so many come back each second.
 */
const spareMax = 20
const sparePerSecond = 100

/**
 * A breaker that gathers questions: one call is under way at a time, and what is asked meanwhile
 * goes with the next one. Modes:
 *
 * - idle: nobody asks. The first question ends it, at the end of the same turn.
 * - asking: a call is under way within its budget, or questions are gathered a little longer for
 *   the next one. Questions wait.
 * - late: the call has outlived its budget. All who wait, and all who ask now, get the answer of
 *   `give` at once, until the call ends, well or badly. So nothing is queued for a server that does
 *   not answer, and its first sign of life closes the breaker.
 */
export function laneOf<Question, Answer>(needs: LaneNeeds<Question, Answer>) {
  let mode: 'idle' | 'asking' | 'late' = 'idle'
  let waiting: Asked<Question, Answer>[] = []
  let [begunAt, countedAt, calls] = [0, 0, 0]
  return { ask }

  function ask(question: Question): Promise<Answer> {
    if (mode === 'late') return Promise.resolve(needs.give(question))
    return new Promise((answer) => {
      waiting.push({ question, answer })
      if (mode !== 'idle') return
      takeOff()
    })
  }

  function takeOff(): void {
    mode = 'asking'
    const restMs = spare() ? 0 : begunAt + (needs.gatherMs ?? 0) - performance.now()
    if (restMs > 0) setTimeout(fly, restMs)
    else queueMicrotask(fly)
  }

  /** Whether one more of the spare calls is left, which come back with time. */
  function spare(): boolean {
    const now = performance.now()
    calls = Math.min(spareMax, calls + ((now - countedAt) * sparePerSecond) / 1_000)
    countedAt = now
    if (calls < 1) return false
    calls -= 1
    return true
  }

  function fly(): void {
    begunAt = performance.now()
    const flight = waiting
    waiting = []
    let open = true
    const questions = flight.map(({ question }) => question)
    const timer = setTimeout(expire, needs.budgetMs(questions))
    needs
      .ask(questions)
      .then(land, () => land([]))
      // A bug in an answer must not leave the lane asking for ever.
      .finally(next)

    function land(answers: readonly Answer[]): void {
      clearTimeout(timer)
      if (!open) return
      open = false
      flight.forEach((one, index) => {
        one.answer(answers[index] ?? needs.give(one.question))
      })
    }

    /** What arrived while this thread was busy elsewhere is read before the call counts as late. */
    function expire(): void {
      setImmediate(() => {
        if (!open) return
        mode = 'late'
        const given = [...flight, ...waiting]
        waiting = []
        open = false
        for (const one of given) one.answer(needs.give(one.question))
      })
    }
  }

  function next(): void {
    if (waiting.length === 0) mode = 'idle'
    else takeOff()
  }
}
