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
 * - `stored`: records are on the disk, nobody has been told;  `appended`: the answer is not sent
 * yet
 * - `judged`: the measuring commit comes next;  `measured`: committed, dedupe does not know;
 * `marked`
 * - `healing`: dedupe knows one more batch
 * - `settling`: the save comes next;  `settled`: saved, not announced;  `adjusted`: not answered
 * yet
 * - `relaying`: the outbox is read, not taken;  `announced`: the topic has it, the store still
 * does;  `attempted`: a webhook was answered, not written
 * down
 * - `archiving`, `archived`: around the write of a stretch;  `merging`: before that of a merged
 * block
 */
export type Moment = (typeof momentNames)[number]

const moments = new Map(momentNames.map((name) => [name, channel(`sluice.${name}`)]))

/**
 * Tells who listens on the diagnostics channel `sluice.<moment>`, in this thread and before
 * anything else happens. Nobody does, unless a program is loaded in front (`node --import`), as the
 * chaos test does to kill the process at just this moment.
 */
export function passing(moment: Moment): void {
  moments.get(moment)?.publish(moment)
}
