import { channel } from 'node:diagnostics_channel'

export const momentNames = [
  'stored',
  'appended',
  'judged',
  'measured',
  'marked',
  'healing',
  'settling',
  'settled',
  'adjusted',
  'relaying',
  'announced',
  'attempted',
  'archiving',
  'archived',
  'merging',
] as const

/**
 * A moment between two effects, at which a crash must cost nothing. [machines#measuring]
 *
 * - `stored`: records are on the disk, and nobody has been told; `appended`: the answer is not sent
 *   yet
 * - `judged`: the measuring commit comes next; `measured`: it is committed, and dedupe does not
 *   know yet; `marked`: dedupe knows
 * - `healing`: dedupe has learnt one more batch
 * - `settling`: the save comes next; `settled`: it is saved, and nobody has been told; `adjusted`:
 *   a command is written, and not answered yet
 * - `relaying`: the outbox is read, and nothing is taken out; `announced`: the topic has the facts,
 *   and the store still does, too; `attempted`: a webhook was answered, and not written down yet
 * - `archiving`, `archived`: before and after the write of a stretch; `merging`: before the write
 *   of a merged block
 */
export type Moment = (typeof momentNames)[number]

const moments = new Map(momentNames.map((name) => [name, channel(`sluice.${name}`)]))

/**
 * Publishes on the diagnostics channel `sluice.<moment>`, in this thread and before anything else
 * happens. Nobody listens unless a program is loaded in front (`node --import`), as the chaos test
 * does to kill the process at exactly this moment.
 */
export function passing(moment: Moment): void {
  moments.get(moment)?.publish(moment)
}
