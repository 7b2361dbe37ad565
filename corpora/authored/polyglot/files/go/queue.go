package queue

import "errors"

// ErrEmpty is returned when nothing waits.
var ErrEmpty = errors.New("queue: empty")

const defaultCapacity = 16

type Job struct {
	Name     string
	Priority int
}

type Runner interface {
	Run(job Job) error
}

type Queue struct {
	jobs []Job
}

func NewQueue() *Queue {
	return &Queue{jobs: make([]Job, 0, defaultCapacity)}
}

func (q *Queue) Push(job Job) {
	q.jobs = append(q.jobs, job)
}

func (q *Queue) RunNext(runner Runner) error {
	if len(q.jobs) == 0 {
		return ErrEmpty
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	return runner.Run(job)
}
