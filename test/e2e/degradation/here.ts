import { rig } from './rig.ts'

/** What all suites of this file share. */
export const at = rig()
