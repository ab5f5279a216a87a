import { startSharedServer } from '../process/shared-server.ts'
import { setup as setUpRun } from './global-setup.ts'

/** What all suites of a run share, and a server for those that ask nothing but one of it. */
export async function setup(): Promise<() => Promise<void>> {
  const tearDown = await setUpRun()
  const stop = await startSharedServer()
  return async () => {
    await stop()
    await tearDown()
  }
}
