/** One that can stand in a roster, and in one only: it keeps its place there. */
export interface Listed {
  /** Set by the roster. */
  place: number
}

/** Those who are here now: they come and go by the ten thousand a second. */
export interface Roster<Member extends Listed> {
  readonly size: number
  add(member: Member): void
  /** The member must be in it. */
  remove(member: Member): void
  /** A copy, in no order: it does not change when they come and go. */
  members(): readonly Member[]
}

/**
 * What a `Set` would be, but that it lets go of a member that leaves. When a `Set` has no room left,
 * or too much, V8 gives it a new table and leads the old one to it, for iterators that may stand
 * there. Once one of the old tables has grown old, all that follow it live on, with what was in
 * them, until the next full collection: of requests under way that was half of all there ever were,
 * and a quarter of what a small one cost.
 */
export function roster<Member extends Listed>(): Roster<Member> {
  const all: Member[] = []
  return {
    get size() {
      return all.length
    },
    add(member) {
      member.place = all.length
      all.push(member)
    },
    remove(member) {
      const last = all.pop()
      if (last === undefined || last === member) return
      all[member.place] = last
      last.place = member.place
    },
    members: () => [...all],
  }
}
