/** [resources#customers] */
export interface PortalSessionView {
  readonly link: string
}

export const portalSession = (link: string): PortalSessionView => ({ link })
