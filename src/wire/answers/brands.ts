import type { BrandArchiveView, BrandView } from '../brand.ts'
import { verificationStatuses } from '../brand.ts'
import {
  choiceField,
  flagField,
  named,
  nothing,
  shape,
  textField,
  textOrNull,
  timeField,
  timeOrNull,
  wholeField,
} from './shape.ts'

export const brandAnswer = named(
  'Brand',
  shape<BrandView>({
    brand_id: textField,
    business_id: textField,
    name: textOrNull,
    description: textOrNull,
    url: textOrNull,
    support_email: textOrNull,
    statement_descriptor: textField,
    image: textOrNull,
    enabled: flagField,
    verification_enabled: flagField,
    verification_status: choiceField(verificationStatuses),
    reason_for_hold: nothing,
    archived_at: timeOrNull,
  }),
)

export const brandArchiveAnswer = named(
  'BrandArchive',
  shape<BrandArchiveView>({
    brand_id: textField,
    archived_at: timeField,
    products_moved: wholeField,
    subscriptions_moved: wholeField,
    collections_moved: wholeField,
    moved_to_brand_id: textOrNull,
  }),
)
