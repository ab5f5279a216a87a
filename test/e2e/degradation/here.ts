import { rig } from './rig.ts'

/** The servers and processes that all suites of this file share. */
export const at = rig()
