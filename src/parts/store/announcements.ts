import type { Mode } from '../../rules/meter/meter.ts'

/** A webhook envelope that waits to be published on the topic `credit.events`. */
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
  /** Oldest first. Takes no lock, because the one that publishes them holds a lease. */
  oldest(limit: number): Promise<readonly Announcement[]>

  /**
   * Deletes those that have been published, each by its id and message: an older copy of the
   * database gives an id once more.
   */
  told(published: readonly Announcement[]): Promise<void>
}
