/** The attempts that this process is making right now, in total and by endpoint. */
export interface UnderWay {
  readonly byEndpoint: ReadonlyMap<string, number>
  total(): number
  /** Counts `work` until it ends, then calls `ended`. */
  add(webhookId: string, work: Promise<void>): void
  /** Resolves when all of them have ended. */
  settled(): Promise<void>
}

export function openUnderWay(ended: () => void): UnderWay {
  const byEndpoint = new Map<string, number>()
  const all = new Set<Promise<void>>()
  return { byEndpoint, total: () => all.size, add, settled }

  function add(webhookId: string, work: Promise<void>): void {
    byEndpoint.set(webhookId, (byEndpoint.get(webhookId) ?? 0) + 1)
    const counted = work.finally(() => {
      all.delete(counted)
      const left = (byEndpoint.get(webhookId) ?? 1) - 1
      if (left === 0) byEndpoint.delete(webhookId)
      else byEndpoint.set(webhookId, left)
      ended()
    })
    all.add(counted)
  }

  async function settled(): Promise<void> {
    await Promise.all(all)
  }
}
