defmodule Post.Parcel do
  @moduledoc "A parcel on its way."

  defstruct [:address, weight: 0]

  def new(address, weight) do
    %__MODULE__{address: address, weight: weight}
  end

  def heavy?(parcel), do: parcel.weight > limit()

  defp limit, do: 20

  defmacro express(parcel) do
    quote do: {:express, unquote(parcel)}
  end
end

defprotocol Post.Trackable do
  def track(item)
end
