import type { Mode } from '../../rules/meter/meter.ts'

/** A webhook envelope that waits to be told on the topic. */
export interface Announcement {
  readonly id: number
  /** The webhook id that endpoints see. */
  readonly messageId: string
  readonly mode: Mode
  /** Empty where the fact is about no customer. */
  readonly customerId: string
  readonly body: string
}

export interface Announcements {
  /** The oldest first. Takes no lock: whoever tells them holds a lease. */
  oldest(limit: number): Promise<readonly Announcement[]>

  /** Deletes those that the topic has. */
  told(ids: readonly number[]): Promise<void>
}
