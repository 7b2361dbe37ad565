package clock

import "time"

type Clock interface {
	Now() time.Time
}

type FixedClock struct{ at time.Time }

func (c FixedClock) Now() time.Time { return c.at }

func NewFixedClock(at time.Time) Clock { return FixedClock{at: at} }
