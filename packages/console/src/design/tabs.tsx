import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly { name: Name; title: ReactNode; content: ReactNode }[];
  value: Name;
  onChange: (name: Name) => void;
}

/** Views of one thing. Pages of their own are links (`PageTabs`), so that they have an address. */
export function Tabs<Name extends string>({ label, tabs, value, onChange }: TabsProps<Name>) {
  const choose = (name: string) => {
    const tab = tabs.find((each) => each.name === name);
    if (tab) onChange(tab.name);
  };
  return (
    <RadixTabs.Root value={value} onValueChange={choose}>
      <RadixTabs.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.name}
            value={tab.name}
            className="-mb-px border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.title}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.name} value={tab.name} className="pt-4">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
