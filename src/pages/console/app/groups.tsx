import { AskButton, TryButton } from './acts.tsx'
import type { ShownMode } from './address.ts'
import { hrefOf } from './address.ts'
import type { Json } from './calls.ts'
import { apiPath, callApi, useLoaded } from './calls.ts'
import { Choice, FormField } from './forms.tsx'
import { shownMoney } from './money.ts'
import { Failure, Skeleton, StateBadge } from './parts.tsx'
import { RowTable } from './tables.tsx'

interface GroupsNeeds {
  readonly mode: ShownMode
  readonly row: Json
  readonly again: () => void
  readonly isOwner: boolean
}

/** The groups of a collection, with the products of each in the order in which buyers see them. */
export function Groups({ mode, row, again, isOwner }: GroupsNeeds) {
  const base = apiPath(mode, `/product-collections/${encodeURIComponent(String(row['id']))}`)
  const groups = row['groups'] as readonly Json[]
  const order = (next: readonly Json[]) => ({
    group_order: next.map((group) => group['group_id']),
  })
  return (
    <>
      {groups.map((group, index) => (
        <article class="account" key={String(group['group_id'])}>
          <header class="heading">
            <h2 class="row">
              {String(group['group_name'] ?? 'Without a name')}
              <StateBadge>{group['status'] === true ? 'shown' : 'hidden'}</StateBadge>
            </h2>
            {isOwner && (
              <div class="actions">
                {index > 0 && (
                  <OrderButton path={base} body={order(swapped(groups, index))} again={again} />
                )}
                <GroupActs
                  mode={mode}
                  path={`${base}/groups/${group['group_id']}`}
                  group={group}
                  again={again}
                />
              </div>
            )}
          </header>
          <Products mode={mode} base={base} group={group} again={again} isOwner={isOwner} />
        </article>
      ))}
      {isOwner && (
        <p>
          <AskButton
            label="Add a group"
            method="POST"
            path={`${base}/groups`}
            says="It stands behind the others. It begins with one product, or with none."
            fields={
              <>
                <FormField label="Name" name="name" maxLength={255} />
                <ProductChoice mode={mode} none="none yet" />
              </>
            }
            body={({ name, product }) => ({
              group_name: name || null,
              products: product ? [{ product_id: product }] : [],
            })}
            done={again}
          />
        </p>
      )}
    </>
  )
}

/** The same with this one and the one before it changed over. */
const swapped = (all: readonly Json[], index: number): readonly Json[] =>
  all.map((one, at) => all[at === index ? index - 1 : at === index - 1 ? index : at] ?? one)

function OrderButton({ path, body, again }: { path: string; body: Json; again: () => void }) {
  const move = async () => {
    await callApi('PATCH', path, body)
    again()
  }
  return <TryButton label="Move up" act={move} />
}

interface GroupActsNeeds {
  readonly mode: ShownMode
  /** Of the group. */
  readonly path: string
  readonly group: Json
  readonly again: () => void
}

function GroupActs({ mode, path, group, again }: GroupActsNeeds) {
  const isShown = group['status'] === true
  return (
    <>
      <AskButton
        label="Add a product"
        method="POST"
        path={`${path}/items`}
        says="A product belongs to one collection at most."
        fields={<ProductChoice mode={mode} none={null} />}
        body={({ product }) => ({ products: [{ product_id: product }] })}
        done={again}
      />
      <AskButton
        label="Rename"
        method="PATCH"
        path={path}
        says="Buyers see the name above its products."
        fields={
          <FormField
            label="Name"
            name="name"
            maxLength={255}
            defaultValue={String(group['group_name'] ?? '')}
          />
        }
        body={({ name }) => ({ group_name: name || null })}
        done={again}
      />
      <ShowAndRemove
        path={path}
        isShown={isShown}
        says={{
          hide: 'Nobody can change to its products.',
          show: 'Its products can be chosen again.',
          remove: 'Its products are sold one by one again; subscriptions of them go on.',
        }}
        again={again}
      />
    </>
  )
}

interface ProductsNeeds {
  readonly mode: ShownMode
  readonly base: string
  readonly group: Json
  readonly again: () => void
  readonly isOwner: boolean
}

function Products({ mode, base, group, again, isOwner }: ProductsNeeds) {
  const products = group['products'] as readonly Json[]
  if (products.length === 0) return <p class="note">No product yet.</p>
  const path = `${base}/groups/${group['group_id']}`
  const orderOf = (product: Json) => ({
    product_order: swapped(products, products.indexOf(product)).map((one) => one['id']),
  })
  const columns = [
    {
      head: 'Product',
      cell: (product: Json) => (
        <a href={hrefOf(mode, ['products', String(product['product_id'])])}>
          {String(product['name'])}
        </a>
      ),
    },
    {
      head: 'Price',
      kind: 'number' as const,
      cell: (product: Json) => shownMoney(Number(product['price']), String(product['currency'])),
    },
    {
      head: 'State',
      cell: (product: Json) => (
        <StateBadge>{product['status'] === true ? 'shown' : 'hidden'}</StateBadge>
      ),
    },
  ]
  const acts = {
    head: 'What can be done',
    kind: 'acts' as const,
    cell: (product: Json) => (
      <span class="actions">
        {products.indexOf(product) > 0 && (
          <OrderButton path={path} body={orderOf(product)} again={again} />
        )}
        <ShowAndRemove
          path={`${path}/items/${product['id']}`}
          isShown={product['status'] === true}
          says={{
            hide: 'Nobody can change to it.',
            show: 'It can be chosen again.',
            remove: 'It is sold by itself again; subscriptions of it go on.',
          }}
          again={again}
        />
      </span>
    ),
  }
  return (
    <RowTable
      rows={products}
      keyOf={(product) => String(product['id'])}
      columns={isOwner ? [...columns, acts] : columns}
    />
  )
}

interface ShowAndRemoveNeeds {
  readonly path: string
  readonly isShown: boolean
  readonly says: Readonly<Record<'hide' | 'show' | 'remove', string>>
  readonly again: () => void
}

/** What can be done to a group, and to a product of one, alike. */
const ShowAndRemove = ({ path, isShown, says, again }: ShowAndRemoveNeeds) => (
  <>
    <AskButton
      label={isShown ? 'Hide' : 'Show'}
      method="PATCH"
      path={path}
      says={isShown ? says.hide : says.show}
      body={() => ({ status: !isShown })}
      done={again}
    />
    <AskButton label="Remove" method="DELETE" path={path} says={says.remove} danger done={again} />
  </>
)

/** The products that there are; `none`: what choosing none of them is called, null: one must be. */
function ProductChoice({ mode, none }: { mode: ShownMode; none: string | null }) {
  const { data, failure } = useLoaded<{ items: readonly Json[] }>(
    apiPath(mode, '/products?page_size=100'),
  )
  if (failure !== null) return <Failure failure={failure} />
  if (data === null) return <Skeleton lines={1} />
  return (
    <Choice
      label="Product"
      name="product"
      options={[
        ...(none === null ? [] : [['', none] as const]),
        ...data.items.map(
          (product) => [String(product['product_id']), String(product['name'])] as const,
        ),
      ]}
    />
  )
}
