/** Waits so many milliseconds. */
export const pauseFor = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    // The global timer, not that of a module: where time is simulated, this waits in simulated
    // time.
    setTimeout(resolve, ms)
  })
