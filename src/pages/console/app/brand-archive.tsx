import { ActButton } from './acts.tsx'
import type { ConsolePlace } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import { Choice, SendForm } from './forms.tsx'
import { count } from './moments.ts'
import { Dialog, Facts, Failure, Skeleton } from './parts.tsx'

interface BrandArchiveNeeds {
  readonly place: ConsolePlace
  readonly row: Json
  readonly again: () => void
}

/** Archives a brand for good: who gets what it holds, with the exact counts before. */
export function BrandArchiveButton({ place: { mode }, row, again }: BrandArchiveNeeds) {
  const isFixed = row['brand_id'] === row['business_id'] || row['archived_at'] !== null
  if (isFixed) return null
  const path = apiPath(mode, `/brands/${encodeURIComponent(String(row['brand_id']))}`)
  return (
    <ActButton label="Archive" danger>
      {(close) => (
        <Dialog title={`Archive ${row['name'] ?? 'this brand'}`} close={close}>
          <ArchiveForm
            path={path}
            list={apiPath(mode, '/brands')}
            own={String(row['brand_id'])}
            done={() => {
              close()
              again()
            }}
          />
        </Dialog>
      )}
    </ActButton>
  )
}

interface ArchiveFormNeeds {
  readonly path: string
  readonly list: string
  readonly own: string
  readonly done: () => void
}

function ArchiveForm({ path, list, own, done }: ArchiveFormNeeds) {
  const holds = useLoaded(`${path}/holdings`)
  const brands = useLoaded<{ items: readonly Json[] }>(list)
  const failure = holds.failure ?? brands.failure
  if (failure !== null) return <Failure failure={failure} />
  if (holds.data === null || brands.data === null) return <Skeleton lines={4} />
  const others = brands.data.items.filter((brand) => brand['brand_id'] !== own)
  const counts = (['products', 'subscriptions', 'collections'] as const).map((name) => {
    const number = Number(holds.data?.[name])
    return [name, number] as const
  })
  const isEmpty = counts.every(([, number]) => number === 0)
  return (
    <>
      <p>
        An archived brand stays so. What it holds now moves to another brand, in the same moment:
      </p>
      <Facts
        of={[
          ['Products', count(counts[0]?.[1] ?? 0)],
          ['Live subscriptions', count(counts[1]?.[1] ?? 0)],
          ['Collections', count(counts[2]?.[1] ?? 0)],
        ]}
      />
      <SendForm
        label="Archive it for good"
        danger
        send={async ({ target }) => {
          await callApi('POST', `${path}/archive`, { move_products_to: target || null })
          done()
        }}
      >
        <Choice
          label="Move to"
          name="target"
          required={!isEmpty}
          options={[
            ['', isEmpty ? 'nobody: there is nothing to move' : 'choose a brand'],
            ...others.map(
              (brand) => [String(brand['brand_id']), String(brand['name'] ?? '–')] as const,
            ),
          ]}
        />
      </SendForm>
    </>
  )
}
