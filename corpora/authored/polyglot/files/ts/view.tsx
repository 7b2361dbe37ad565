import { Router } from './router';

export interface ViewProps { router: Router }

export function View(props: ViewProps) {
  return <div className="view">{props.router.toString()}</div>;
}

export interface AfterTheView { lost: boolean }
