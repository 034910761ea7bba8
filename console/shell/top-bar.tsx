import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import {
  IconKeyboard,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSun,
  IconSunMoon,
  IconUser,
  IconX,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../calls/api.ts';
import { inWords } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { useConnection } from './live.tsx';
import { SESSION_KEY, useLeave, useSession } from './session.tsx';

/** What opens the search, by the keyboard at hand. */
const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

export function TopBar(props: {
  isRailOpen: boolean;
  onRail: () => void;
  onSearch: () => void;
  onKeys: () => void;
}): ReactNode {
  const { isRailOpen, onRail, onSearch, onKeys } = props;
  return (
    <header className="top-bar">
      <ActionIcon
        className="menu-button"
        variant="subtle"
        size="lg"
        aria-label={isRailOpen ? 'Close the menu' : 'Open the menu'}
        aria-expanded={isRailOpen}
        onClick={onRail}
      >
        {isRailOpen ? <IconX size={20} /> : <IconMenu2 size={20} />}
      </ActionIcon>
      <button type="button" className="search-button" onClick={onSearch}>
        <IconSearch size={16} aria-hidden="true" /> Search
        <kbd>{SEARCH_KEYS}</kbd>
      </button>
      <div className="top-end">
        <ConnectionMark />
        <ThemeButton />
        <Tooltip label="Keys (?)">
          <ActionIcon className="wide-only" variant="subtle" color="gray" size="lg" aria-label="Keys" onClick={onKeys}>
            <IconKeyboard size={18} />
          </ActionIcon>
        </Tooltip>
        <UserMenu />
      </div>
    </header>
  );
}

/** Says nothing while everything is live: that is how it should be. */
function ConnectionMark(): ReactNode {
  const connection = useConnection();
  return (
    <span role="status" className="small">
      {connection === 'lost' ? <Mark tone="waiting">Not live · reconnecting</Mark> : null}
    </span>
  );
}

const THEMES = {
  auto: { next: 'light', icon: IconSunMoon, name: 'as the system' },
  light: { next: 'dark', icon: IconSun, name: 'light' },
  dark: { next: 'auto', icon: IconMoon, name: 'dark' },
} as const;

function ThemeButton(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { next, icon: Icon, name } = THEMES[colorScheme];
  return (
    <Tooltip label={`Colours: ${name}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Colours: ${name}. Change to ${THEMES[next].name}`}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

function UserMenu(): ReactNode {
  const { user, roles, accounts } = useSession();
  const queries = useQueryClient();
  const leave = useLeave();
  const signOut = async (): Promise<void> => {
    try {
      await api.endOwnSession();
      leave();
    } catch {
      await queries.invalidateQueries({ queryKey: SESSION_KEY });
    }
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="light" size="lg" radius="xl" aria-label={`Signed in as ${user.name}`}>
          <IconUser size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <br />
          {roles.length === 0 ? 'no role yet' : roles.map(inWords).join(', ')}
          {accounts === null ? null : ` · ${accounts.join(', ')}`}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account">
          Your account
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
