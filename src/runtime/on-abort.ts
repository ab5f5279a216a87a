/**
 * Does `work` when the signal is aborted. Calling what it answers ends that, and answers whether
 * `work` was done.
 */
export function onAbort(
  signal: AbortSignal | null,
  work: () => Promise<void>,
): () => Promise<boolean> {
  let working: Promise<void> | null = null
  const begin = (): void => {
    working = work()
  }
  signal?.addEventListener('abort', begin, { once: true })
  return async () => {
    signal?.removeEventListener('abort', begin)
    await working
    return working !== null
  }
}
