import { manual } from '../parts/processors/manual/manual.ts'
import type { Processor } from '../parts/processors/port.ts'
import { sandbox } from '../parts/processors/sandbox/sandbox.ts'
import type { Mode } from '../rules/meter/meter.ts'

/** Who moves the money of each mode. [payments#processors] */
export const processors: Readonly<Record<Mode, Processor>> = { test: sandbox, live: manual }
