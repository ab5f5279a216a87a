/** Prefixes of identifiers. [resources#ids] */
export type IdPrefix =
  | 'adn'
  | 'bus'
  | 'brnd'
  | 'key'
  | 'cus'
  | 'mtr'
  | 'cde'
  | 'cgr'
  | 'cle'
  | 'cbl'
  | 'cem'
  | 'pdt'
  | 'lcp'
  | 'pdc'
  | 'sub'
  | 'wle'
  | 'dsc'
  | 'spc'
  | 'pay'
  | 'whk'
  | 'msg'
  | 'whs'
  | 'req'

/** Makes a new identifier: prefix, underscore, 21 URL-safe characters. */
export type NewId = (prefix: IdPrefix) => string
