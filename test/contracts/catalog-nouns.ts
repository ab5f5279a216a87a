import { addons } from '../../src/parts/store/postgres/catalog/addons.ts'
import { brands } from '../../src/parts/store/postgres/catalog/brands.ts'
import { collections } from '../../src/parts/store/postgres/catalog/collections.ts'
import { products } from '../../src/parts/store/postgres/catalog/products.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { after, second } from '../../src/std/instant.ts'
import { decidedAt as at } from '../support/store/decided.ts'
import {
  addonRow,
  brandRow,
  collectionRow,
  entitlementRowWith,
  productRow,
} from '../support/store/rows.ts'
import type { ScratchStore } from '../support/store/scratch-store.ts'

const later = after(at, second)

/** Nouns that the time of their last change compares: a new row, changes of it, how it is read. */
export const catalogNouns = (
  open: () => { readonly store: ScratchStore; readonly scope: Scope },
) => ({
  addon: () => {
    const { store, scope } = open()
    const row = addonRow(store.newId('adn'), at)
    const next = { ...row, description: null, price: 0, imageId: null, updatedAt: later }
    const changed = { noun: 'addon', expected: row.updatedAt } as const
    return {
      id: row.addonId,
      made: { noun: 'addon', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, name: 'B' } } as const,
      read: () => addons(store.db).get(scope, row.addonId),
      seen: [row, next] as const,
    }
  },
  brand: () => {
    const { store, scope } = open()
    const row = brandRow(store.newId('brnd'), at)
    const next = { ...row, url: null, imageId: null, updatedAt: later }
    const changed = { noun: 'brand', expected: row.updatedAt } as const
    return {
      id: row.brandId,
      made: { noun: 'brand', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, name: 'B' } } as const,
      read: () => brands(store.db).get(scope, row.brandId),
      seen: [row, next] as const,
    }
  },
  collection: () => {
    const { store, scope } = open()
    const row = collectionRow(store.newId('pdc'), at)
    const next = {
      ...row,
      description: null,
      imageId: 'img_3',
      archivedAt: later,
      updatedAt: later,
    }
    const changed = { noun: 'collection', expected: row.updatedAt } as const
    return {
      id: row.collectionId,
      made: { noun: 'collection', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, name: 'B' } } as const,
      read: () => collections(store.db).get(scope, row.collectionId),
      seen: [row, next] as const,
    }
  },
  product_entitlement: () => {
    const { store, scope } = open()
    const row = entitlementRowWith(store.newId('ent'), at)
    const next = {
      ...row,
      description: null,
      config: { ...row.config, fileIds: [], externalUrl: null },
      deletedAt: later,
      updatedAt: later,
    }
    const changed = { noun: 'product_entitlement', expected: row.updatedAt } as const
    return {
      id: row.entitlementId,
      made: { noun: 'product_entitlement', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, name: 'B' } } as const,
      read: () => store.productEntitlements.get(scope, row.entitlementId),
      seen: [row, next] as const,
    }
  },
  product: () => {
    const { store, scope } = open()
    const row = productRow(store.newId('pdt'), at)
    const next = {
      ...row,
      description: 'd',
      imageId: 'img_4',
      archivedAt: later,
      updatedAt: later,
    }
    const changed = { noun: 'product', expected: row.updatedAt } as const
    return {
      id: row.productId,
      made: { noun: 'product', expected: null, row } as const,
      changed: { ...changed, row: next } as const,
      again: { ...changed, row: { ...next, name: 'B' } } as const,
      read: () => products(store.db).get(scope, row.productId),
      seen: [row, next] as const,
    }
  },
})
