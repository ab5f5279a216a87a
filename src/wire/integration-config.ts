import { limits } from '../limits.ts'
import type {
  EntitlementConfig,
  IntegrationType,
  ThirdParty,
} from '../rules/commerce/entitlements/product-entitlement.ts'
import { isThirdParty } from '../rules/commerce/entitlements/product-entitlement.ts'
import type { TimeInterval } from '../std/calendar.ts'
import type { Schema } from '../std/schema.ts'
import { schema } from '../std/schema.ts'
import { timeIntervals } from './enums.ts'
import type { Definition } from './schemas.ts'
import { id, nullable, oneOf, text, url, whole } from './schemas.ts'

/** What says how large a file is on the way, or a link that leads there. */
export const externalUrl = nullable(url)
export const instructions = nullable(text(0, limits.instructionsMax))
export const fileIds: Definition = {
  type: 'array',
  maxItems: limits.filesPerEntitlementMax,
  items: id,
}

interface LicenseConfigBody {
  readonly activation_message?: string | null
  readonly activations_limit?: number | null
  readonly duration_count?: number | null
  readonly duration_interval?: TimeInterval | null
  readonly fulfillment_mode?: 'auto' | 'manual' | null
}

interface FilesConfigBody {
  readonly digital_file_ids: readonly string[]
  readonly external_url?: string | null
  readonly instructions?: string | null
  readonly legacy_file_ids?: readonly string[] | null
}

/** Nothing else: a config of another type would be taken for one without its fields. */
const exact = <T>(required: readonly string[], properties: Readonly<Record<string, Definition>>) =>
  schema<T>({ type: 'object', required, properties, additionalProperties: false })

const feature = exact<{ readonly feature_id: string }>(['feature_id', 'feature_type'], {
  feature_id: id,
  feature_type: oneOf(['boolean']),
})

const files = exact<FilesConfigBody>(['digital_file_ids'], {
  digital_file_ids: fileIds,
  external_url: externalUrl,
  instructions,
  legacy_file_ids: nullable(fileIds),
})

const license = exact<LicenseConfigBody>([], {
  activation_message: nullable(text(0, limits.activationMessageMax)),
  activations_limit: nullable(whole(1, limits.moneyMax)),
  duration_count: nullable(whole(1, limits.intervalCountMax)),
  duration_interval: nullable(oneOf(timeIntervals)),
  fulfillment_mode: nullable(oneOf(['auto', 'manual'])),
})

type Settings = Readonly<Record<string, string | null>>

const thirdPartyConfigs: Readonly<Record<ThirdParty, Schema<Settings>>> = {
  discord: exact(['guild_id'], { guild_id: id, role_id: nullable(id) }),
  telegram: exact(['chat_id'], { chat_id: id }),
  github: exact(['permission', 'target_id'], {
    permission: oneOf(['pull', 'push', 'admin', 'maintain', 'triage']),
    target_id: id,
  }),
  figma: exact(['figma_file_id'], { figma_file_id: id }),
  framer: exact(['framer_template_id'], { framer_template_id: id }),
  notion: exact(['notion_template_id'], { notion_template_id: id }),
}

/** The config of a body, or a sentence that says what is wrong with it. [entitlements#kinds] */
export function integrationConfig(
  type: IntegrationType,
  sent: Readonly<Record<string, unknown>>,
): EntitlementConfig | string {
  if (isThirdParty(type)) {
    return read(thirdPartyConfigs[type], sent, (settings) => ({ type, settings }))
  }
  switch (type) {
    case 'feature_flag':
      return read(feature, sent, (body) => ({ type, featureId: body.feature_id }))
    case 'digital_files':
      return read(files, sent, (body) => ({
        type,
        fileIds: [...body.digital_file_ids, ...(body.legacy_file_ids ?? [])],
        externalUrl: body.external_url ?? null,
        instructions: body.instructions ?? null,
      }))
    case 'license_key':
      return read(license, sent, licenseOf)
  }
}

function read<T>(
  of: Schema<T>,
  sent: Readonly<Record<string, unknown>>,
  config: (body: T) => EntitlementConfig | string,
): EntitlementConfig | string {
  const checked = of.check(sent)
  return checked.ok ? config(checked.value) : `integration_config: ${checked.problem}`
}

function licenseOf(body: LicenseConfigBody): EntitlementConfig | string {
  const { duration_count: count = null, duration_interval: interval = null } = body
  if ((count === null) !== (interval === null)) {
    return 'integration_config: duration_count and duration_interval must come together.'
  }
  return {
    type: 'license_key',
    activationMessage: body.activation_message ?? null,
    activationsLimit: body.activations_limit ?? null,
    duration: count === null || interval === null ? null : { count, interval },
    fulfillment: body.fulfillment_mode ?? 'auto',
  }
}
