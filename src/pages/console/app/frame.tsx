import type { ConsolePlace, ShownMode } from './address.ts'
import { goTo, hrefOf } from './address.ts'
import { callApi, consolePath } from './calls.ts'
import type { Me } from './me.ts'
import { showsUtc, turnZone, zoneName } from './moments.ts'
import { Palette } from './palette.tsx'
import { roomGroups } from './rooms.ts'
import type { Theme } from './theme.ts'
import { chooseTheme, nextTheme, themeNow } from './theme.ts'
import type { Children } from './ui.ts'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from './ui.ts'

/** What stands around every page: where one is, and in which mode. */
export function ConsoleFrame({
  me,
  place,
  children,
}: {
  me: Me
  place: ConsolePlace
  children: Children
}) {
  const [palette, setPalette] = useState(false)
  const [nav, setNav] = useState(false)
  const [theme, setTheme] = useState(themeNow)
  const { mode, steps } = place
  useEffect(() => setNav(false), [place])
  useShortcuts(() => setPalette(true))
  useFocusOf([mode, ...steps].join('/'))
  const turnTheme = () => {
    const next = nextTheme(theme)
    chooseTheme(next)
    setTheme(next)
  }
  const logOut = async () => {
    await callApi('POST', consolePath('/log-out')).catch(() => undefined)
    location.assign('/console')
  }
  const others = [
    { title: `Switch to ${mode === 'test' ? 'live' : 'test'} mode`, hint: 'mode', go: switchMode },
    {
      title: showsUtc ? 'Show times in your own zone' : 'Show times in UTC',
      hint: zoneName,
      go: turnZone,
    },
    { title: 'Change colours', hint: 'dark light theme', go: turnTheme },
    { title: 'Log out', hint: me.email, go: logOut },
  ]
  function switchMode(): void {
    goTo(hrefOf(mode === 'test' ? 'live' : 'test', steps.slice(0, 1)))
  }
  return (
    <div class={`frame ${mode}`}>
      <a class="skip" href="#content">
        To the content
      </a>
      <TopBar
        me={me}
        place={place}
        nav={[nav, setNav]}
        theme={[theme, turnTheme]}
        find={() => setPalette(true)}
      />
      <Navigation mode={mode} at={steps[0] ?? ''} open={nav} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {palette && <Palette mode={mode} close={() => setPalette(false)} others={others} />}
    </div>
  )
}

interface TopBarNeeds {
  readonly me: Me
  readonly place: ConsolePlace
  readonly nav: readonly [isOpen: boolean, set: (open: boolean) => void]
  readonly theme: readonly [theme: Theme, turn: () => void]
  readonly find: () => void
}

function TopBar({ me, place, nav, theme: [theme, turnTheme], find }: TopBarNeeds) {
  const { mode, steps } = place
  const [isOpen, setNav] = nav
  return (
    <header class="top">
      <button
        type="button"
        class="quiet menu"
        aria-expanded={isOpen}
        aria-controls="nav"
        onClick={() => setNav(!isOpen)}
      >
        Menu
      </button>
      <a class="home" href={hrefOf(mode, [])}>
        {me.business_name}
      </a>
      <ModeSwitch mode={mode} steps={steps} />
      <button type="button" class="quiet find" onClick={find}>
        Go to … <kbd>/</kbd>
      </button>
      <span class="room" />
      {me.role === 'viewer' && <span class="state calm">viewer</span>}
      <button type="button" class="quiet" onClick={turnTheme} title="Colours">
        {{ system: 'Auto', light: 'Light', dark: 'Dark' }[theme]}
      </button>
      {showsUtc && <span class="state calm">UTC</span>}
      <a class="who" href={hrefOf(mode, ['you'])}>
        {me.name ?? me.email}
      </a>
    </header>
  )
}

/** Both modes side by side: the same page of the other one, but not the same thing of it. */
function ModeSwitch({ mode, steps }: { mode: ShownMode; steps: readonly string[] }) {
  return (
    <nav class="modes" aria-label="Mode">
      {(['test', 'live'] as const).map((one) => (
        <a
          key={one}
          class={one}
          href={hrefOf(one, steps.slice(0, 1))}
          aria-current={one === mode ? 'true' : undefined}
        >
          {one === 'test' ? 'Test mode' : 'Live mode'}
        </a>
      ))}
    </nav>
  )
}

function Navigation({ mode, at, open }: { mode: ShownMode; at: string; open: boolean }) {
  return (
    <nav id="nav" class={open ? 'rooms open' : 'rooms'} aria-label="Pages">
      {roomGroups.map(({ title, rooms }) => (
        <Fragment key={title ?? ''}>
          {title !== null && <h2>{title}</h2>}
          <ul>
            {rooms.map((room) => (
              <li key={room.step}>
                <a
                  href={hrefOf(mode, room.step === '' ? [] : [room.step])}
                  aria-current={room.step === at ? 'page' : undefined}
                >
                  {room.title}
                </a>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      <ul class="own">
        <li>
          <a href={hrefOf(mode, ['you'])} aria-current={at === 'you' ? 'page' : undefined}>
            You
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** Another page has the focus: from there on by keyboard, and a reader aloud begins with it. */
function useFocusOf(page: string): void {
  const before = useRef(page)
  useEffect(() => {
    if (before.current === page) return
    before.current = page
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [page])
}

/** `/` and Ctrl-K, but not while somebody writes. */
function useShortcuts(open: () => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      const writes = target instanceof Element && target.closest('input, textarea, select') !== null
      const isCtrlK = key.toLowerCase() === 'k' && (ctrlKey || metaKey)
      const isSlash = key === '/' && !writes && !ctrlKey && !metaKey && !altKey
      if (!isCtrlK && !isSlash) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
