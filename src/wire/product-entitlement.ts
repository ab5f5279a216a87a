import { limits } from '../limits.ts'
import type { CatalogMetadata } from '../rules/commerce/catalog/metadata.ts'
import type { StoredFile } from '../rules/commerce/catalog/stored-file.ts'
import type {
  AskedEntitlement,
  DigitalFiles,
  IntegrationType,
  ProductEntitlement,
  ProductEntitlementChange,
} from '../rules/commerce/entitlements/product-entitlement.ts'
import { integrationTypes } from '../rules/commerce/entitlements/product-entitlement.ts'
import type { TimeInterval } from '../std/calendar.ts'
import { defined } from '../std/defined.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import type { DeliveryView, DownloadLinks } from './download-link.ts'
import { deliveredFileView } from './download-link.ts'
import { integrationConfig } from './integration-config.ts'
import { metadata, nullable, oneOf, refused, text } from './schemas.ts'

/** [entitlements#entitlements] */
export interface EntitlementCreate {
  readonly integration_config: Readonly<Record<string, unknown>>
  readonly integration_type: IntegrationType
  readonly name: string
  readonly description?: string | null
  readonly metadata?: CatalogMetadata | null
}

/** Null clears what may be empty, and keeps the rest. [requests#nulls] */
export interface EntitlementUpdate {
  readonly integration_config?: Readonly<Record<string, unknown>> | null
  readonly name?: string | null
  readonly description?: string | null
  readonly metadata?: CatalogMetadata | null
}

const fields = {
  integration_config: { type: 'object' },
  name: text(1, limits.nameMax),
  description: nullable(text(0, limits.descriptionMax)),
  metadata: nullable(metadata),
}

export const entitlementCreate = schema<EntitlementCreate>({
  type: 'object',
  required: ['integration_config', 'integration_type', 'name'],
  properties: { ...fields, integration_type: oneOf(integrationTypes) },
})

export const entitlementUpdate = schema<EntitlementUpdate>({
  type: 'object',
  properties: {
    ...fields,
    integration_config: { type: ['object', 'null'] },
    integration_type: refused('cannot be changed'),
    name: nullable(fields.name),
  },
})

/** What a body asks for, or a sentence that says what is wrong with its config. */
export function askedEntitlement(body: EntitlementCreate): AskedEntitlement | string {
  const { description = null, metadata: given, name } = body
  const config = integrationConfig(body.integration_type, body.integration_config)
  if (typeof config === 'string') return config
  return { name, description, config, metadata: given ?? {} }
}

/** The same of a change of one of this type. */
export function changeInEntitlement(
  body: EntitlementUpdate,
  type: IntegrationType,
): ProductEntitlementChange | string {
  const sent = body.integration_config ?? null
  const config = sent === null ? undefined : integrationConfig(type, sent)
  if (typeof config === 'string') return config
  return defined({
    name: body.name ?? undefined,
    description: body.description,
    metadata: body.metadata === undefined ? undefined : (body.metadata ?? {}),
    config,
  })
}

/** What an integration needs to know, by its type; files with links to them. */
export type IntegrationConfigView =
  | { readonly feature_id: string; readonly feature_type: 'boolean' }
  | { readonly digital_files: DeliveryView }
  | {
      readonly activation_message: string | null
      readonly activations_limit: number | null
      readonly duration_count: number | null
      readonly duration_interval: TimeInterval | null
      readonly fulfillment_mode: 'auto' | 'manual'
    }
  | Readonly<Record<string, string | null>>

/** [entitlements#entitlements] */
export interface EntitlementView {
  readonly id: string
  readonly business_id: string
  readonly name: string
  readonly description: string | null
  readonly integration_type: IntegrationType
  readonly integration_config: IntegrationConfigView
  readonly is_active: boolean
  readonly metadata: CatalogMetadata
  readonly created_at: string
  readonly updated_at: string
}

/** What a product says of an entitlement that it brings. [entitlements#entitlements] */
export type EntitlementSummary = Pick<
  EntitlementView,
  'id' | 'name' | 'description' | 'integration_type' | 'integration_config'
>

export const entitlementView = (
  links: DownloadLinks,
  entitlement: ProductEntitlement,
  files: ReadonlyMap<string, StoredFile>,
): EntitlementView => ({
  ...entitlementSummary(links, entitlement, files),
  business_id: links.businessId,
  is_active: entitlement.deletedAt === null,
  metadata: entitlement.metadata,
  created_at: formatInstant(entitlement.createdAt),
  updated_at: formatInstant(entitlement.updatedAt),
})

export const entitlementSummary = (
  links: DownloadLinks,
  { config, description, entitlementId, name }: ProductEntitlement,
  files: ReadonlyMap<string, StoredFile>,
): EntitlementSummary => ({
  id: entitlementId,
  name,
  description,
  integration_type: config.type,
  integration_config: configView(links, { config, entitlementId }, files),
})

/** The files of an entitlement, for its seller; null: it has none. */
export const deliveryOfEntitlement = (
  links: DownloadLinks,
  { config, entitlementId: id }: ProductEntitlement,
  files: ReadonlyMap<string, StoredFile>,
): DeliveryView | null =>
  config.type === 'digital_files' ? deliveryOf(links, config, { id, files }) : null

function deliveryOf(
  links: DownloadLinks,
  { externalUrl, fileIds, instructions }: DigitalFiles,
  { files, id }: { readonly id: string; readonly files: ReadonlyMap<string, StoredFile> },
): DeliveryView {
  const holder = { kind: 'entitlement', id } as const
  const held = fileIds.flatMap((fileId) => files.get(fileId) ?? [])
  return {
    files: held.map((file) => deliveredFileView(links, holder, file)),
    external_url: externalUrl,
    instructions,
  }
}

function configView(
  links: DownloadLinks,
  { config, entitlementId: id }: Pick<ProductEntitlement, 'config' | 'entitlementId'>,
  files: ReadonlyMap<string, StoredFile>,
): IntegrationConfigView {
  switch (config.type) {
    case 'feature_flag':
      return { feature_id: config.featureId, feature_type: 'boolean' }
    case 'digital_files':
      return { digital_files: deliveryOf(links, config, { id, files }) }
    case 'license_key':
      return {
        activation_message: config.activationMessage,
        activations_limit: config.activationsLimit,
        duration_count: config.duration?.count ?? null,
        duration_interval: config.duration?.interval ?? null,
        fulfillment_mode: config.fulfillment,
      }
    default:
      return config.settings
  }
}
