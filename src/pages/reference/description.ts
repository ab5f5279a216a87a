/** What the reference reads of a description of the API (OpenAPI 3.1). */
export interface ApiDescription {
  readonly tags: readonly ApiTag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

export interface ApiTag {
  readonly name: string
  readonly description?: string
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly ApiParameter[]
  readonly requestBody?: { readonly content: ApiContent }
  readonly responses: Readonly<Record<string, ApiResponse>>
  /** Empty: it needs no key. */
  readonly security?: readonly unknown[]
  readonly 'x-sluice'?: true
}

export interface ApiParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: ApiSchema
}

export interface ApiResponse {
  readonly description: string
  readonly content?: ApiContent
}

/** By media type. */
export type ApiContent = Readonly<
  Record<string, { readonly schema?: ApiSchema; readonly example?: unknown }>
>

/** A piece of JSON Schema. */
export interface ApiSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly items?: ApiSchema
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly additionalProperties?: ApiSchema | boolean
  readonly required?: readonly string[]
  readonly oneOf?: readonly ApiSchema[]
  readonly anyOf?: readonly ApiSchema[]
  readonly allOf?: readonly ApiSchema[]
}

/** An operation with its place. */
export interface PlacedOperation extends ApiOperation {
  readonly method: string
  readonly path: string
}

/** The operations of each tag, in the order in which they are described. */
export function operationsByTag(
  api: ApiDescription,
): ReadonlyMap<string, readonly PlacedOperation[]> {
  const byTag = new Map<string, PlacedOperation[]>(api.tags.map(({ name }) => [name, []]))
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ''] = operation.tags
      byTag.get(tag)?.push({ ...operation, method: method.toUpperCase(), path })
    }
  }
  return byTag
}

/** The schema that is meant where one is only referred to. */
export function resolved(api: ApiDescription, schema: ApiSchema): ApiSchema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.slice('#/components/schemas/'.length)
  return api.components.schemas[name] ?? {}
}
