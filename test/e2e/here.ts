import { world } from './world.ts'

/** The server that all suites of one test file share. */
export const at = world()
