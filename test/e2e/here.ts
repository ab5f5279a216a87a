import { describedAnswers } from '../support/pages/described-answers.ts'
import { world } from './world.ts'

/** The server that all suites of one test file share. */
export const at = world({}, { look: describedAnswers() })
