import { AskButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import { apiPath } from './calls.ts'
import { Few } from './few.tsx'
import { FormField } from './forms.tsx'
import { column } from './kind.ts'

interface LinksOfProductNeeds {
  readonly mode: ShownMode
  /** Of the product. */
  readonly id: string
  readonly isOwner: boolean
}

/** Short addresses of a product's checkout. */
export function LinksOfProduct({ mode, id, isOwner }: LinksOfProductNeeds) {
  const path = apiPath(mode, `/products/${encodeURIComponent(id)}/short_links`)
  return (
    <Few
      mode={mode}
      title="Short links"
      path="/products/short_links"
      query={{ product_id: id }}
      id="short_url"
      none="None: a short link is an address of its checkout that people can type."
      columns={[
        column('Short', 'short_url'),
        column('Leads to', 'full_url'),
        column('Created', 'created_at', 'when'),
      ]}
      head={isOwner ? (again) => <MakeButton path={path} again={again} /> : undefined}
    />
  )
}

const MakeButton = ({ path, again }: { path: string; again: () => void }) => (
  <AskButton
    label="Make a short link"
    method="POST"
    path={path}
    says="Whoever opens it comes to the checkout of this product."
    fields={
      <FormField
        label="Name"
        name="slug"
        required
        pattern="[A-Za-z0-9_\-]{3,64}"
        hint="3 to 64 letters, digits, hyphens or underscores."
      />
    }
    body={({ slug }) => ({ slug })}
    done={again}
  />
)
