package queue

import "testing"

type countingRunner struct{ count int }

func (c *countingRunner) Run(job Job) error {
	c.count++
	return nil
}

func TestRunNext(t *testing.T) {
	q := NewQueue()
	q.Push(Job{Name: "a"})
	runner := &countingRunner{}
	if err := q.RunNext(runner); err != nil {
		t.Fatal(err)
	}
}
