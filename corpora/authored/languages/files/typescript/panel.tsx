export interface PanelProps { title: string }

export const renderPanel = (props: PanelProps): string => props.title;
