import { describedAnswers } from '../support/pages/described-answers.ts'
import { sharedWorld } from './shared-world.ts'
import { world } from './world.ts'

const look = describedAnswers()
const isShared = process.env['TEST_ON_SHARED_SERVER'] === '1'

/** The server that all suites of one test file share, or that many files do. */
export const at = isShared ? sharedWorld({ look }) : world({}, { look })
