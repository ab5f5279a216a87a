import type { Block, BlockDraft } from '../../rules/archive/block.ts'
import { blockFrom } from '../../rules/archive/block.ts'
import type { BlockEvents, BlockIndex } from '../../rules/archive/indexed-events.ts'

/** `blockIndexOf`, in this thread or another one. */
export type Indexed = (events: BlockEvents) => Promise<BlockIndex>

/** Completes a draft; the index is most of the work on a block. */
export async function blockWith(indexed: Indexed, draft: BlockDraft): Promise<Block> {
  const { keys, ndjson, verdicts } = draft
  return blockFrom(draft, await indexed({ keys, ndjson, verdicts }))
}
