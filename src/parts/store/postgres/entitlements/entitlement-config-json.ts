import type {
  EntitlementConfig,
  IntegrationType,
} from '../../../../rules/commerce/entitlements/product-entitlement.ts'
import { isThirdParty } from '../../../../rules/commerce/entitlements/product-entitlement.ts'
import type { Frequency } from '../../../../std/calendar.ts'

/** What an integration needs to know, as the store keeps it; its type stands beside it. */
export interface ConfigJson {
  readonly feature_id?: string
  readonly file_ids?: readonly string[]
  readonly external_url?: string | null
  readonly instructions?: string | null
  readonly activation_message?: string | null
  readonly activations_limit?: number | null
  readonly duration?: Frequency | null
  readonly fulfillment?: 'auto' | 'manual'
  readonly settings?: Readonly<Record<string, string | null>>
}

export function configFrom(type: IntegrationType, stored: ConfigJson): EntitlementConfig {
  if (isThirdParty(type)) return { type, settings: stored.settings ?? {} }
  switch (type) {
    case 'feature_flag':
      return { type, featureId: stored.feature_id ?? '' }
    case 'digital_files':
      return {
        type,
        fileIds: stored.file_ids ?? [],
        externalUrl: stored.external_url ?? null,
        instructions: stored.instructions ?? null,
      }
    case 'license_key':
      return {
        type,
        activationMessage: stored.activation_message ?? null,
        activationsLimit: stored.activations_limit ?? null,
        duration: stored.duration ?? null,
        fulfillment: stored.fulfillment ?? 'auto',
      }
  }
}

export function configJson(config: EntitlementConfig): ConfigJson {
  switch (config.type) {
    case 'feature_flag':
      return { feature_id: config.featureId }
    case 'digital_files':
      return {
        file_ids: config.fileIds,
        external_url: config.externalUrl,
        instructions: config.instructions,
      }
    case 'license_key':
      return {
        activation_message: config.activationMessage,
        activations_limit: config.activationsLimit,
        duration: config.duration,
        fulfillment: config.fulfillment,
      }
    default:
      return { settings: config.settings }
  }
}
