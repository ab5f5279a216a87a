import type { PortalSessionView } from '../portal.ts'
import { named, shape, textField } from './shape.ts'

export const portalSessionAnswer = named(
  'CustomerPortalSession',
  shape<PortalSessionView>({ link: textField }),
)
