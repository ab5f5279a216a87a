import { ActButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, sendFile } from './calls.ts'
import { SendForm } from './forms.tsx'
import { Dialog } from './parts.tsx'

/** What can carry an image, by the page that it stands on. */
const owners: Readonly<Record<string, readonly [owner: string, path: string]>> = {
  addons: ['addon', '/addons'],
  brands: ['brand', '/brands'],
  'product-collections': ['collection', '/product-collections'],
  products: ['product', '/products'],
}

interface ImageNeeds {
  readonly mode: ShownMode
  readonly step: string
  readonly id: string
  readonly row: Json
}

/** The image that buyers see. */
export function ShownImage({ mode, row }: Pick<ImageNeeds, 'mode' | 'row'>) {
  const [, image] = /\/images\/([\w-]+)$/.exec(String(row['image'] ?? '')) ?? []
  if (image === undefined) return null
  return <img class="image" src={apiPath(mode, `/images/${image}`)} alt="As buyers see it" />
}

/** Another image, or none any more. */
export function ImageButton({ again, ...of }: ImageNeeds & { again: () => void }) {
  const { mode, step, id, row } = of
  const [owner, path] = owners[step] ?? []
  if (owner === undefined) return null
  const own = encodeURIComponent(id)
  return (
    <ActButton label="Image">
      {(close) => {
        const done = () => {
          close()
          again()
        }
        return (
          <Dialog title="Image" close={close}>
            <div class="form">
              <ShownImage mode={mode} row={row} />
              <SendForm
                label="Show it to buyers"
                send={async (_, files) => {
                  const [file] = files
                  if (file === undefined) throw new Error('Choose a file: PNG, JPEG or WebP.')
                  await sendFile(apiPath(mode, `/images/${owner}/${own}`), file)
                  done()
                }}
              >
                <label class="field">
                  <span>File</span>
                  <input
                    type="file"
                    name="file"
                    accept="image/png,image/jpeg,image/webp"
                    required
                  />
                  <small>PNG, JPEG or WebP, up to 3 MiB.</small>
                </label>
              </SendForm>
              {row['image'] !== null && (
                <SendForm
                  label="Take it away"
                  danger
                  send={async () => {
                    await callApi('PATCH', apiPath(mode, `${path}/${own}`), { image_id: null })
                    done()
                  }}
                />
              )}
            </div>
          </Dialog>
        )
      }}
    </ActButton>
  )
}
