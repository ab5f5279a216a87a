import { describedAnswers } from '../support/pages/described-answers.ts'
import type { World } from './world.ts'
import { world } from './world.ts'

/** A server for the whole file; all that it answers must be as the description of the API says. */
export const describedWorld = (): World => world({}, { look: describedAnswers() })
