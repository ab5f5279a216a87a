const withinMs = 60_000

/**
 * Asks again as long as the answer is that usage received before is not measured yet. The server
 * waits 5 s for that and says 503: partitions of a process that was killed take longer to move, and
 * a strained machine may, too. Whatever else is answered, or thrown, is the caller's.
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

/** Of an answer as it came, and of an error of the public client. */
function isNotMeasured(said: unknown): boolean {
  const { status, text, message } = said as { status?: number; text?: string; message?: string }
  return status === 503 && `${text} ${message}`.includes('is not measured yet; try again.')
}
