import { rowAlone } from '../../../src/parts/store/changes.ts'
import type { Scope } from '../../../src/parts/store/scope.ts'
import type { Product } from '../../../src/rules/commerce/catalog/product.ts'
import { inherited } from '../../../src/rules/commerce/catalog/product.ts'
import { noLicense } from '../../../src/rules/commerce/catalog/product-license.ts'
import type { Discount } from '../../../src/rules/commerce/discounts/discount.ts'
import type { ProductName, World } from '../../model/money/program.ts'
import { discount } from '../../rules/commerce/discounts/samples.ts'
import { onceFor, productOf, recurringFor } from '../../rules/commerce/payments/purchases.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { january } from '../store/scratch-store.ts'

/** A business with everything that programs of money are about. */
export interface Shop {
  readonly scope: Scope
  readonly customerId: string
  readonly products: Readonly<Record<ProductName, string>>
  readonly entitlements: { readonly tool: string; readonly plan: string }
  readonly discountId: string
  reprice(name: ProductName, price: number): Promise<void>
}

export async function openShop(store: ScratchStore, world: World): Promise<Shop> {
  const scope = await store.business()
  const entitlements = {
    tool: await store.entitlement(scope),
    plan: await store.entitlement(scope),
  }
  const products = new Map(
    names.map((name) => [name, productNamed(store, name, { world, entitlements })] as const),
  )
  const code = codeOf(store.newId('dsc'), world)
  const { businessId } = scope
  for (const row of products.values()) await write({ noun: 'product', expected: null, row })
  await write({ noun: 'discount', expected: null, row: code })
  if (world.taxed) {
    const rows = [{ country: 'DE' as const, region: null, category: null, rate: 190_000 }]
    await write({ noun: 'tax_table', expected: null, row: { businessId, rows } })
  }
  if (world.fees) {
    await write({ noun: 'fee_table', expected: null, row: { businessId, rows: fees } })
  }
  const idOf = (name: ProductName) => products.get(name)?.productId ?? ''
  return {
    scope,
    customerId: await store.customer(scope),
    products: {
      tool: idOf('tool'),
      plan: idOf('plan'),
      trial: idOf('trial'),
      brief: idOf('brief'),
      demand: idOf('demand'),
    },
    entitlements,
    discountId: code.discountId,
    reprice,
  }

  async function write(change: Parameters<typeof rowAlone>[1]): Promise<void> {
    const outcome = await store.changes.commit(rowAlone(scope, change))
    if (outcome !== 'committed') throw new Error(`The ${change.noun} was not written.`)
  }

  async function reprice(name: ProductName, price: number): Promise<void> {
    const was = products.get(name)
    if (was === undefined) throw new Error('There is no such product.')
    const updatedAt = (was.updatedAt + 1) as Product['updatedAt']
    const row = { ...was, price: { ...was.price, price }, updatedAt } as Product
    products.set(name, row)
    await write({ noun: 'product', expected: was.updatedAt, row })
  }
}

const names: readonly ProductName[] = ['tool', 'plan', 'trial', 'brief', 'demand']

const fees = [
  { kind: 'payment', currency: null, basisPoints: 290, fixed: 30 },
  { kind: 'refund', currency: null, basisPoints: 0, fixed: 7 },
  { kind: 'dispute', currency: null, basisPoints: 0, fixed: 1_500 },
  { kind: 'payout', currency: null, basisPoints: 100, fixed: 25 },
] as const

/** One in which wallets hold money. */
const currency = 'USD'

function productNamed(
  store: ScratchStore,
  name: ProductName,
  { entitlements, world }: Pick<Shop, 'entitlements'> & { readonly world: World },
): Product {
  const isTool = name === 'tool'
  const cycle = { count: name === 'brief' ? 10 : 30, interval: 'Day' } as const
  const period = { count: name === 'brief' ? 25 : 3_650, interval: 'Day' } as const
  const price = isTool
    ? onceFor(world.prices[name], { currency })
    : recurringFor(world.prices[name], {
        currency,
        frequency: cycle,
        period,
        trialPeriodDays: name === 'trial' ? 7 : 0,
      })
  const mapping = {
    ...inherited,
    mappingId: store.newId('cem'),
    creditEntitlementId: isTool ? entitlements.tool : entitlements.plan,
    creditsAmount: isTool ? '10' : '100',
    ...(isTool ? {} : { lowBalanceThresholdPercent: 20 }),
    ...(name === 'tool' ? {} : rolloverOf(world, name)),
  }
  const licensed = { enabled: true, activationMessage: null, activationsLimit: 2, duration: null }
  return productOf(store.newId('pdt'), price, {
    creditEntitlements: [mapping],
    license: isTool || name === 'plan' ? licensed : noLicense,
    createdAt: january,
    updatedAt: january,
  })
}

function rolloverOf({ rollover }: World, name: Exclude<ProductName, 'tool'>) {
  const terms = rollover.terms[name]
  if (terms === null) return {}
  const { days } = rollover
  return {
    rolloverEnabled: true,
    rolloverPercentage: terms.percent,
    maxRolloverCount: terms.most,
    rolloverTimeframeCount: days,
    rolloverTimeframeInterval: days === null ? null : ('Day' as const),
  }
}

const codeOf = (discountId: string, { code }: World): Discount =>
  discount({
    discountId,
    code: 'LESS',
    amount: code.percent * 100,
    usageLimit: code.limit,
    subscriptionCycles: 2,
    createdAt: january,
    updatedAt: january,
  })
