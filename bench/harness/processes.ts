/** What ends with the bench, in whatever way that ends. */
const endings = new Set<() => void>()

/** Registers what to do when the process ends; answers what takes it back. */
export function onEnd(ending: () => void): () => void {
  endings.add(ending)
  return () => void endings.delete(ending)
}

// The last one first: a server must have ended before its directory can be removed. One that fails
// keeps none of the others from running.
process.once('exit', () => {
  for (const ending of [...endings].toReversed()) {
    try {
      ending()
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
    }
  }
})
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(status))
}
