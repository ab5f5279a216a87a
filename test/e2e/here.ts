import { describedAnswers } from '../support/pages/described-answers.ts'
import { describedWorld } from './described-world.ts'
import { sharedWorld } from './shared-world.ts'

const isShared = process.env['TEST_ON_SHARED_SERVER'] === '1'

/**
 * What the suites that all sorts of files import ask: a server of its own for each process that
 * runs tests, or a business of its own on the server that many files share.
 */
export const at = isShared ? sharedWorld({ look: describedAnswers() }) : describedWorld()
