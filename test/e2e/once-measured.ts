const withinMs = 60_000

/**
 * Asks again for as long as the answer is that usage received before is not measured yet. The
 * server waits 5 s for that and then says 503; moving the partitions of a killed process takes
 * longer, and on a busy machine other things may, too. Every other answer or error goes to the
 * caller.
 */
export async function onceMeasured<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const outcome = await ask().then(
      (answer) => ({ answer, error: null }),
      (error: unknown) => ({ answer: null, error }),
    )
    if (isNotMeasured(outcome.error ?? outcome.answer) && performance.now() < deadline) continue
    if (outcome.error !== null) throw outcome.error
    return outcome.answer as T
  }
}

/** Reads an answer, or an error of the public client. */
function isNotMeasured(said: unknown): boolean {
  const { status, text, message } = said as { status?: number; text?: string; message?: string }
  return status === 503 && `${text} ${message}`.includes('is not measured yet; try again.')
}
