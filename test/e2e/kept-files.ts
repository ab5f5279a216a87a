import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { pictures } from '../support/files/pictures.ts'
import { fresh } from './plan.ts'
import type { World } from './world.ts'

const png = pictures['image/png']

/** A file that is sold, and an image of a product, as they were uploaded. */
export interface KeptFiles {
  readonly entitlementId: string
  readonly book: Buffer
  readonly imageId: string
}

/** Uploads both: of a file more than one piece, and of what nobody compresses. */
export async function keepFiles(at: Pick<World, 'call' | 'client' | 'url'>): Promise<KeptFiles> {
  const client = at.client()
  const { id: entitlementId } = await client.entitlements.create({
    name: fresh('book'),
    integration_type: 'digital_files',
    integration_config: { digital_file_ids: [], instructions: 'Read it.' },
  })
  const book = randomBytes(300_000)
  const body = new FormData()
  body.append('file', new Blob([book]), 'book.bin')
  await client.entitlements.files.upload(entitlementId, { body })
  const { product_id: productId } = await client.products.create({
    name: fresh('with an image'),
    tax_category: 'e_book',
    price: {
      type: 'one_time_price',
      currency: 'EUR',
      price: 900,
      discount: 0,
      purchasing_power_parity: false,
    },
  })
  const { url, image_id: imageId } = await client.products.images.update(productId, {
    force_update: true,
  })
  expect((await fetch(url, { method: 'PUT', body: png })).status).toBe(200)
  return { entitlementId, book, imageId: String(imageId) }
}

/** An installation elsewhere, asked with the key of the old one, hands out the same bytes. */
export async function expectFilesAt(url: string, key: string, kept: KeptFiles): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/entitlements/${kept.entitlementId}`, { headers })
  const read = (await answer.json()) as {
    integration_config: { digital_files: { files: readonly { download_url: string }[] } }
  }
  const [file] = read.integration_config.digital_files.files
  const link = new URL(file?.download_url ?? '')
  const download = await fetch(`${url}${link.pathname}`)
  expect(download.status).toBe(200)
  expect(Buffer.from(await download.arrayBuffer()).equals(kept.book)).toBe(true)
  const image = await fetch(`${url}/images/${kept.imageId}`)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await image.arrayBuffer()).equals(png)).toBe(true)
}
