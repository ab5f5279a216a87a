/** [resources#names-of-choices] */
export const prorationModes = [
  'prorated_immediately',
  'full_immediately',
  'difference_immediately',
  'do_not_bill',
] as const
export type ProrationMode = (typeof prorationModes)[number]
