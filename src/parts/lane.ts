/** One question, waiting for its answer. */
export interface Asked<Question, Answer> {
  readonly question: Question
  answer(answer: Answer): void
}

export interface LaneOptions<Question, Answer> {
  /** All that has come together since the last time. Rejects when there is no answer to be had. */
  ask(questions: readonly Question[]): Promise<readonly Answer[]>
  /** The answer to who could not be given one in time. */
  give(question: Question): Answer
  /** In ms, of one call: past it, everybody is answered without. */
  budgetMs(questions: readonly Question[]): number
  /**
   * Where calls are many, past some hundred a second, so long in ms from the beginning of one to
   * the next: what a call costs is then shared by more questions. None if absent.
   */
  readonly gatherMs?: number
}

/** Calls that are never held back for others: as many at once, and a second. */
const spareMax = 20
const sparePerSecond = 100

/**
 * A breaker that gathers: one call is under way at a time, and what is asked meanwhile goes with
 * the next one. Modes:
 *
 * - idle: nobody asks. The first question ends it, at the end of the same turn.
 * - asking: a call is under way within its budget, or a little longer is gathered for the next
 *   one, which questions wait for.
 * - late: the call has outlived the budget. Who waits, and whoever asks, is answered at once and
 *   without, until the call ends, well or badly: so nothing is queued towards a server that does
 *   not answer, and the first sign of life closes the breaker.
 */
export function laneOf<Question, Answer>(options: LaneOptions<Question, Answer>) {
  let mode: 'idle' | 'asking' | 'late' = 'idle'
  let waiting: Asked<Question, Answer>[] = []
  let [begunAt, countedAt, calls] = [0, 0, 0]
  return { ask }

  function ask(question: Question): Promise<Answer> {
    if (mode === 'late') return Promise.resolve(options.give(question))
    return new Promise((answer) => {
      waiting.push({ question, answer })
      if (mode !== 'idle') return
      takeOff()
    })
  }

  function takeOff(): void {
    mode = 'asking'
    const restMs = spare() ? 0 : begunAt + (options.gatherMs ?? 0) - performance.now()
    if (restMs > 0) setTimeout(fly, restMs)
    else queueMicrotask(fly)
  }

  /** Whether one more call may begin at once, of those that come back with time. */
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
    const timer = setTimeout(expire, options.budgetMs(questions))
    options
      .ask(questions)
      .then(land, () => land([]))
      // A bug in an answer must not leave the lane asking for ever.
      .finally(next)

    function land(answers: readonly Answer[]): void {
      clearTimeout(timer)
      if (!open) return
      open = false
      flight.forEach((one, index) => {
        one.answer(answers[index] ?? options.give(one.question))
      })
    }

    /** What has arrived while this thread was busy elsewhere is read before it is given up. */
    function expire(): void {
      setImmediate(() => {
        if (!open) return
        mode = 'late'
        const given = [...flight, ...waiting]
        waiting = []
        open = false
        for (const one of given) one.answer(options.give(one.question))
      })
    }
  }

  function next(): void {
    if (waiting.length === 0) mode = 'idle'
    else takeOff()
  }
}
