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
}

/**
 * A breaker that gathers: one call is under way at a time, and what is asked meanwhile goes with
 * the next one. Modes:
 *
 * - idle: nobody asks. The first question ends it, at the end of the same turn.
 * - asking: a call is under way within its budget; questions wait for the next one.
 * - late: the call has outlived the budget. Who waits, and whoever asks, is answered at once and
 *   without, until the call ends, well or badly: so nothing is queued towards a server that does
 *   not answer, and the first sign of life closes the breaker.
 */
export function laneOf<Question, Answer>(options: LaneOptions<Question, Answer>) {
  let mode: 'idle' | 'asking' | 'late' = 'idle'
  let waiting: Asked<Question, Answer>[] = []
  return { ask }

  function ask(question: Question): Promise<Answer> {
    if (mode === 'late') return Promise.resolve(options.give(question))
    return new Promise((answer) => {
      waiting.push({ question, answer })
      if (mode !== 'idle') return
      mode = 'asking'
      queueMicrotask(fly)
    })
  }

  function fly(): void {
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
    else {
      mode = 'asking'
      fly()
    }
  }
}
